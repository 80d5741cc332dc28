// Instantiates the module from the argument of `init()` and `initSync()`; if that fails, the error says what
// was requested, what was received, and which setting helps.

const tag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
const ADDRESSES = ["String", "URL", "Request"];
const PLACE =
  "put the package's apex_parts_bg.wasm beside the bundle (rollup: @web/rollup-plugin-import-meta-assets), or give its URL: await init(url) (esbuild: --loader:.wasm=file and `import url from` apex-parts/apex_parts_bg.wasm)";
const COMPILED =
  "in an edge runtime import from apex-parts itself, which needs no init, with the condition edge-light (Next sets it) or workerd (wrangler sets it); elsewhere pass init() of apex-parts/slim what `import module from` apex-parts/apex_parts_bg.wasm returns; a page's Content-Security-Policy needs 'wasm-unsafe-eval'";

/** The source of the module, also from the objects in the documentation of wasm-bindgen. */
const given = (source: unknown): unknown => {
  // A cast: anything can be given, and what has no such field has it undefined.
  const { module_or_path: first, module } = (source ?? {}) as Record<string, unknown>;
  return first ?? module ?? source;
};

function failure(what: string, cause?: unknown) {
  return new Error(`apex-parts: ${what}`, { cause });
}

/** The message of what was thrown; what it is, if it has none. */
const reasonOf = (cause: unknown) =>
  // A cast: anything can be thrown.
  String((cause as { message?: unknown } | null | undefined)?.message ?? cause);

/** The error for a module that could not be compiled. */
function uncompiled(cause: unknown) {
  const reason = reasonOf(cause);
  return /disallowed|not allowed|not an allowed|refused|blocked/i.test(reason)
    ? failure(`no WebAssembly can be compiled from bytes here (${reason}): ${COMPILED}`, cause)
    : failure(
        `the argument is not the module (${reason}): pass a URL, a Response, the bytes of apex_parts_bg.wasm or a WebAssembly.Module`,
        cause,
      );
}

/** What `fetch` takes. */
type Address = string | URL | Request;

/** The URL of an address; only a request has one of its own. */
const urlOf = (address: Address) => String((address as { url?: unknown }).url ?? address);

async function fetched(address: Address): Promise<unknown> {
  const url = urlOf(address);
  // Node's fetch does not support files; a page has none.
  const fs = url.startsWith("file:")
    ? globalThis.process?.getBuiltinModule?.("node:fs")
    : undefined;
  try {
    return fs ? fs.readFileSync(new URL(url)) : await fetch(address);
  } catch (cause) {
    throw failure(`${url} could not be loaded (${reasonOf(cause)}): ${PLACE}`, cause);
  }
}

function beginsAsModule(buffer: ArrayBuffer) {
  const [a, b, c, d] = new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength));
  return a === 0 && b === 0x61 && c === 0x73 && d === 0x6d;
}

/** The bytes of a response, if they are a WebAssembly module. */
async function bytesOf(response: Response, url: string) {
  const type = response.headers?.get("content-type") ?? "none";
  const came = `status ${response.status ?? "unknown"}, content type ${type}`;
  const bytes = response.ok === false ? undefined : await response.arrayBuffer();
  if (bytes && beginsAsModule(bytes)) return bytes;
  throw failure(`${url || "the Response"} is not the module, it came with ${came}: ${PLACE}`);
}

async function instanceOf(
  source: unknown,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  try {
    // Casts: what the source is, `instantiate` finds out; of bytes it gives the module beside the instance.
    const result: unknown = await WebAssembly.instantiate(source as WebAssembly.Module, imports);
    const { instance } = result as { instance?: WebAssembly.Instance };
    return instance ?? (result as WebAssembly.Instance);
  } catch (cause) {
    throw uncompiled(cause);
  }
}

const isStreamed = (response: Response) =>
  typeof WebAssembly.instantiateStreaming === "function" &&
  response.ok &&
  response.headers.get("content-type") === "application/wasm";

async function instanceOfResponse(response: Response, url: string, imports: WebAssembly.Imports) {
  if (!isStreamed(response)) return instanceOf(await bytesOf(response, url), imports);
  try {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  } catch (cause) {
    throw uncompiled(cause);
  }
}

/** The location of the module beside the entry; unknown in some bundles, and slim entries have none. */
function located(beside: (() => unknown) | undefined): unknown {
  if (beside === undefined) {
    throw new TypeError(
      "apex-parts/slim: pass the module to init(): a URL, a Response, bytes or a WebAssembly.Module",
    );
  }
  try {
    const place = beside();
    if (place) return place;
  } catch (cause) {
    throw failure(`the location of the module is unknown in this bundle: ${PLACE}`, cause);
  }
  throw failure(
    "the module's file cannot be read here: pass its bytes, await init(bytes), or use Node 20.16, 22.3 or later",
  );
}

/** An instance of the given module, or of the one beside the entry. */
export async function instantiated(
  { source, beside }: { source?: unknown; beside?: () => unknown },
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  const wanted = given(await given(source)) ?? located(beside);
  // Casts: the tag says what it is.
  const address = ADDRESSES.includes(tag(wanted)) ? (wanted as Address) : undefined;
  const content = address === undefined ? wanted : await fetched(address);
  if (tag(content) !== "Response") return instanceOf(content, imports);
  const response = content as Response;
  return instanceOfResponse(
    response,
    address === undefined ? response.url : urlOf(address),
    imports,
  );
}

/** The compiled module, synchronously. */
export function compiled(source: unknown): WebAssembly.Module {
  const module = given(source);
  // Casts: the tag says what it is; of anything else the constructor says that it is not a module.
  if (tag(module) === "WebAssembly.Module") return module as WebAssembly.Module;
  try {
    return new WebAssembly.Module(module as BufferSource);
  } catch (cause) {
    throw uncompiled(cause);
  }
}
