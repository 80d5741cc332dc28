// From what `init()` and `initSync()` are given to an instance of the module; where that fails, the
// error says what was asked for, what came, and which setting helps.

const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const ADDRESSES = ["String", "URL", "Request"];
const PLACE =
  "put the package's apex_parts_bg.wasm beside the bundle (rollup: @web/rollup-plugin-import-meta-assets), or give its URL: await init(url) (esbuild: --loader:.wasm=file and `import url from` apex-parts/apex_parts_bg.wasm)";
const COMPILED =
  "in an edge runtime import from apex-parts itself with the condition edge-light (Next sets it), which needs no init; in Cloudflare give init() of apex-parts/slim what `import module from` apex-parts/apex_parts_bg.wasm gives; a page's Content-Security-Policy needs 'wasm-unsafe-eval'";

/** What was given, also in the objects that wasm-bindgen's pages show. */
const given = (source) => source?.module_or_path ?? source?.module ?? source;

function failure(what, cause) {
  return new Error(`apex-parts: ${what}`, { cause });
}

/** The error for a module that was not compiled. */
function uncompiled(cause) {
  return /disallowed|not allowed|not an allowed|refused|blocked/i.test(cause?.message ?? "")
    ? failure(
        `no WebAssembly can be compiled from bytes here (${cause.message}): ${COMPILED}`,
        cause,
      )
    : failure(
        `what was given is not the module (${cause?.message ?? cause}): give a URL, a Response, the bytes of apex_parts_bg.wasm or a WebAssembly.Module`,
        cause,
      );
}

async function fetched(address) {
  const url = String(address.url ?? address);
  // Node's own fetch takes no files; a page has no files.
  const fs = url.startsWith("file:") && globalThis.process?.getBuiltinModule?.("node:fs");
  try {
    return fs ? fs.readFileSync(new URL(url)) : await fetch(address);
  } catch (cause) {
    throw failure(`${url} could not be loaded (${cause?.message ?? cause}): ${PLACE}`, cause);
  }
}

function beginsAsModule(buffer) {
  const [a, b, c, d] = new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength));
  return a === 0 && b === 0x61 && c === 0x73 && d === 0x6d;
}

/** The bytes of an answer, if it is a module. */
async function bytesOf(response, url) {
  const type = response.headers?.get("content-type") ?? "none";
  const came = `status ${response.status ?? "unknown"}, content type ${type}`;
  const bytes = response.ok === false ? undefined : await response.arrayBuffer();
  if (bytes && beginsAsModule(bytes)) return bytes;
  throw failure(`${url || "the Response"} is not the module, it came with ${came}: ${PLACE}`);
}

async function instanceOf(source, imports) {
  try {
    const made = await WebAssembly.instantiate(source, imports);
    return made.instance ?? made;
  } catch (cause) {
    throw uncompiled(cause);
  }
}

const isStreamed = (response) =>
  typeof WebAssembly.instantiateStreaming === "function" &&
  response.ok &&
  response.headers.get("content-type") === "application/wasm";

async function instanceOfResponse(response, url, imports) {
  if (!isStreamed(response)) return instanceOf(await bytesOf(response, url), imports);
  try {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  } catch (cause) {
    throw uncompiled(cause);
  }
}

/** The place of the module beside the entry; a bundle may have none, and the slim entries look for none. */
function located(beside) {
  if (beside === undefined) {
    throw new TypeError(
      "apex-parts/slim: give init() the module: a URL, a Response, bytes or a WebAssembly.Module",
    );
  }
  try {
    const place = beside();
    if (place) return place;
  } catch (cause) {
    throw failure(`the place of the module is not known in this bundle: ${PLACE}`, cause);
  }
  throw failure(
    "the module's file cannot be read here: give its bytes, await init(bytes), or use Node 20.16, 22.3 or later",
  );
}

/** The instance, of what was given or of what stands beside the entry. */
export async function instantiated({ source, beside }, imports) {
  let wanted = given(await given(source)) ?? located(beside);
  const isAddress = ADDRESSES.includes(tag(wanted));
  const url = isAddress ? String(wanted.url ?? wanted) : wanted.url;
  if (isAddress) wanted = await fetched(wanted);
  if (tag(wanted) === "Response") return instanceOfResponse(wanted, url, imports);
  return instanceOf(wanted, imports);
}

/** The compiled module, without waiting. */
export function compiled(source) {
  const module = given(source);
  if (tag(module) === "WebAssembly.Module") return module;
  try {
    return new WebAssembly.Module(module);
  } catch (cause) {
    throw uncompiled(cause);
  }
}
