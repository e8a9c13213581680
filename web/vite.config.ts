// Two builds of the same page: a static folder, and (--mode single) one HTML file that works from disk.
import { defineConfig } from "vitest/config";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig(({ mode }) => ({
  base: "./",
  test: { include: ["tests/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
  plugins: mode === "single" ? [viteSingleFile({ removeViteModuleLoader: true })] : [],
  build: {
    outDir: mode === "single" ? "../build/web/single" : "../build/web/page",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
}));
