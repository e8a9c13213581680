// The module that web/wasm builds.
import createModule from "../../../build/web/wasm/retrygarden.js";

export default createModule;
