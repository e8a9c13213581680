// The page asks nobody for anything, and could not if it wanted to.

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { root } from "../native";
import { fileUrl, openPage, pageFile, settled, summary } from "./browser";

/** Opens the page and records what it requests, but for what it holds itself. */
async function openWatched(options: { url?: string } = {}): Promise<{ page: Page; requests: string[] }> {
  const requests: string[] = [];
  const record = (url: string) => {
    if (!url.startsWith("blob:") && !url.startsWith("data:")) {
      requests.push(url);
    }
  };
  const page = await openPage({
    ...options,
    prepare: async (page) => {
      page.context().on("request", (request) => record(request.url()));
      await page.context().route("**/*", (route) => route.continue());
    },
  });
  return { page, requests };
}

/** What somebody does with the page in the course of a day. */
async function use(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Seed" }).fill("10");
  await settled(page);
  await page.getByRole("grid").first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { level: 3 }).first().waitFor();
  await page.keyboard.press("Escape");
  for (const item of ["Scenario (JSON)", "Export: every record (JSON)", "Charts (SVG)", "Charts (PNG)"]) {
    await page.getByText("Download", { exact: true }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: item }).click();
    await (await download).path();
  }
  await page.getByRole("button", { name: "Lessons" }).click();
  await page.getByRole("button", { name: "Synchronised retries and jitter" }).click();
  await page.getByRole("radio").first().check();
  await page.getByRole("button", { name: "Show the run" }).click();
  await settled(page);
}

test("from disk, nothing but the file itself is read", async () => {
  const { page, requests } = await openWatched();
  await use(page);
  expect(requests).toEqual([fileUrl(pageFile)]);
});

test("from a server, nothing but its own files is asked for", async () => {
  const { server, url, files } = await serve(path.join(root, "build/web/page"));
  const { page, requests } = await openWatched({ url });
  expect(await summary(page)).toMatchObject({ attempts: ["26", "26"], effects: ["9", "10"] });
  const atFirst = [...requests];
  expect(files.map((file) => path.extname(file)).sort()).toEqual([".css", ".html", ".js"]);
  expect(atFirst).toHaveLength(3);
  expect(atFirst.filter((each) => !each.startsWith(url))).toEqual([]);
  await use(page);
  expect(requests).toEqual(atFirst);
  server.close();
});

test("what tries to reach a server is stopped", async () => {
  const { server, url, files } = await serve("");
  const page = await openPage({ mayComplain: true });
  const broken = ["connect-src", "connect-src", "connect-src", "connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"];
  expect(await tryNetwork(page, url)).toEqual(broken);
  expect(files).toEqual([]);
  server.close();
});

test("where it is not stopped, it reaches that server", async () => {
  const { server, url, files } = await serve("");
  const page = await openPage({ mayComplain: true, bypassCSP: true });
  expect(await tryNetwork(page, url)).toEqual([]);
  await expect.poll(() => [...files].sort()).toEqual(["beacon", "fetch", "frame", "image", "script.js", "socket", "style.css", "xhr"].map((name) => `/${name}`));
  server.close();
});

/** Tries all ways out; returns the rules of the page that were broken. */
async function tryNetwork(page: Page, url: string): Promise<string[]> {
  return page.evaluate(async (url) => {
    const broken: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => broken.push(event.effectiveDirective));
    const ended = (target: EventTarget, events: string[]) =>
      new Promise((done) => events.forEach((event) => target.addEventListener(event, done)));
    const added = (tag: string, attributes: object) => {
      const element = Object.assign(document.createElement(tag), attributes);
      document.body.append(element);
      return Promise.race([ended(element, ["load", "error"]), ended(document, ["securitypolicyviolation"])]);
    };
    await fetch(`${url}fetch`).catch(() => undefined);
    const request = new XMLHttpRequest();
    request.open("GET", `${url}xhr`);
    request.send();
    await ended(request, ["loadend"]);
    navigator.sendBeacon(`${url}beacon`, "x");
    try {
      await ended(new WebSocket(`${url.replace("http", "ws")}socket`), ["error", "close"]);
    } catch {
      // It is stopped at once.
    }
    await added("img", { src: `${url}image` });
    await added("script", { src: `${url}script.js` });
    await added("link", { rel: "stylesheet", href: `${url}style.css` });
    await added("iframe", { src: `${url}frame` });
    return broken.sort();
  }, url);
}

/** Serves a folder, if there is one, and keeps a list of what it was asked for. */
async function serve(folder: string): Promise<{ server: Server; url: string; files: string[] }> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  const files: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = pathname === "/" ? "/index.html" : pathname;
    files.push(file);
    try {
      const content = await readFile(path.join(folder, file));
      response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.on("upgrade", (request, socket) => {
    files.push(request.url ?? "");
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, files };
}
