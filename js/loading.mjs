// Instantiates the module from the argument of `init()` and `initSync()`; if that fails, the error says what
// was requested, what was received, and which setting helps.

const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const ADDRESSES = ["String", "URL", "Request"];
const PLACE =
  "put the package's apex_parts_bg.wasm beside the bundle (rollup: @web/rollup-plugin-import-meta-assets), or give its URL: await init(url) (esbuild: --loader:.wasm=file and `import url from` apex-parts/apex_parts_bg.wasm)";
const COMPILED =
  "in an edge runtime import from apex-parts itself, which needs no init, with the condition edge-light (Next sets it) or workerd (wrangler sets it); elsewhere give init() of apex-parts/slim what `import module from` apex-parts/apex_parts_bg.wasm gives; a page's Content-Security-Policy needs 'wasm-unsafe-eval'";

/** The source of the module, also from the objects in the documentation of wasm-bindgen. */
const given = (source) => source?.module_or_path ?? source?.module ?? source;

function failure(what, cause) {
  return new Error(`apex-parts: ${what}`, { cause });
}

/** The error for a module that could not be compiled. */
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
  // Node's fetch does not support files; a page has none.
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

/** The bytes of a response, if they are a WebAssembly module. */
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

/** The location of the module beside the entry; unknown in some bundles, and slim entries have none. */
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

/** An instance of the given module, or of the one beside the entry. */
export async function instantiated({ source, beside }, imports) {
  let wanted = given(await given(source)) ?? located(beside);
  const isAddress = ADDRESSES.includes(tag(wanted));
  const url = isAddress ? String(wanted.url ?? wanted) : wanted.url;
  if (isAddress) wanted = await fetched(wanted);
  if (tag(wanted) === "Response") return instanceOfResponse(wanted, url, imports);
  return instanceOf(wanted, imports);
}

/** The compiled module, synchronously. */
export function compiled(source) {
  const module = given(source);
  if (tag(module) === "WebAssembly.Module") return module;
  try {
    return new WebAssembly.Module(module);
  } catch (cause) {
    throw uncompiled(cause);
  }
}
