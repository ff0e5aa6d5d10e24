import { WhereforeError, asWhereforeError, typed } from "./errors.js";

/** Where a file comes from: an address, a response or its bytes. */
export type BytesSource = string | URL | Request | Response | BufferSource;

/** Where a Wasm module comes from: an address, bytes, a response or a compiled module. */
export type WasmSource = BytesSource | WebAssembly.Module;

/** Options of `init`. */
export interface InitOptions {
  /** The module; the file next to the script if absent. */
  wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
}

/** Options of `init` of the engine. */
export interface EngineInitOptions extends InitOptions {
  /** The words, `wherefore/data/words.txt`; the file next to the script if absent. */
  words?: BytesSource | PromiseLike<BytesSource> | undefined;
}

/** Reads a `file:` address; set by the entries for Node, as `fetch` cannot read files there. */
export const files: { read?: (address: URL) => Promise<Uint8Array<ArrayBuffer>> } = {};

/** The words of a module: the address of the file next to the script, and how the module takes the bytes. */
interface Words {
  address: () => URL;
  load: (file: Uint8Array) => void;
}

/** A file that is loaded, as messages and codes of errors name it. */
type File = "wasm" | "words";
const NAMES = { wasm: "Wasm module", words: "words" };

/** Loads one Wasm module and its words, once. */
export class Loader {
  #loading: Promise<void> | undefined;
  #loaded = false;

  /**
   * `start` instantiates the module; `address` returns the address of the file next to the script. Both run on the first
   * call of `load`, never when the script is imported.
   */
  constructor(
    private readonly start: (module: WebAssembly.Module) => Promise<unknown>,
    private readonly address: () => URL,
    private readonly words?: Words,
  ) {}

  /** Loads both. Later calls return the same promise, whatever their options; after a failure, they try again. */
  load(options: EngineInitOptions = {}): Promise<void> {
    this.#loading ??= this.#run(options).catch((thrown: unknown) => {
      this.#loading = undefined;
      throw thrown;
    });
    return this.#loading;
  }

  /** Throws unless both are loaded. */
  require(): void {
    if (this.#loaded) return;
    throw new WhereforeError("InitError", "not_initialized", "the Wasm module is not loaded; await init() first");
  }

  async #run(options: EngineInitOptions): Promise<void> {
    const { words } = this;
    // On its way while the module compiles; if the module fails, nothing waits for it.
    const file = words && bytes(options.words, words.address);
    file?.catch(() => undefined);
    try {
      await this.start(await compile((await options.wasm) ?? this.address()));
    } catch (thrown) {
      if (thrown instanceof WhereforeError) throw thrown;
      const { message } = asWhereforeError(thrown);
      throw new WhereforeError("InitError", "wasm_unusable", `the Wasm module cannot be used: ${message}`, {
        cause: thrown,
      });
    }
    if (words && file) {
      const loaded = await file;
      typed(() => words.load(loaded));
    }
    this.#loaded = true;
  }
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const found = await open("wasm", source);
  // Streaming needs the right media type, which not every static host sends.
  const isWasm = !isBytes(found) && found.headers.get("content-type")?.startsWith("application/wasm");
  if (isWasm && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(found);
  return WebAssembly.compile(await content("wasm", found));
}

async function bytes(given: EngineInitOptions["words"], address: () => URL): Promise<Uint8Array> {
  const source = await Promise.resolve(given).catch((thrown: unknown) => unavailable("words", "the option", thrown));
  return content("words", await open("words", source ?? address()));
}

/** Fetches or reads what is not bytes yet. */
async function open(file: File, source: BytesSource): Promise<Response | Uint8Array<ArrayBuffer>> {
  if (typeof Response !== "undefined" && source instanceof Response) return received(file, source);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const isAddress =
    typeof source === "string" ||
    source instanceof URL ||
    (typeof Request !== "undefined" && source instanceof Request);
  if (!isAddress) {
    const kinds = file === "wasm" ? "bytes, a Response or a WebAssembly.Module" : "bytes or a Response";
    throw new WhereforeError("ArgumentError", "invalid_argument", `${file} must be an address, ${kinds}`);
  }
  const local = fileOf(source);
  if (local && files.read) {
    return files.read(local).catch((thrown: unknown) => unavailable(file, String(local), thrown));
  }
  const name = source instanceof URL || typeof source === "string" ? String(source) : source.url;
  return received(file, await fetch(source).catch((thrown: unknown) => unavailable(file, name, thrown)));
}

/** The address as a URL if it is one of a file. */
function fileOf(source: string | URL | Request): URL | undefined {
  if (typeof source === "string" && !URL.canParse(source)) return undefined;
  const address = source instanceof URL ? source : new URL(typeof source === "string" ? source : source.url);
  return address.protocol === "file:" ? address : undefined;
}

function isBytes(found: Response | Uint8Array): found is Uint8Array<ArrayBuffer> {
  return found instanceof Uint8Array;
}

function received(file: File, response: Response): Response {
  if (!response.ok) unavailable(file, response.url, `status ${response.status}`);
  return response;
}

async function content(file: File, from: Response | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (isBytes(from)) return from;
  const body = await from.arrayBuffer().catch((thrown: unknown) => unavailable(file, from.url, thrown));
  return new Uint8Array(body);
}

function unavailable(file: File, address: string, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `cannot load the ${NAMES[file]} from ${address || "the response"}: ${reason}`;
  const code = file === "wasm" ? "wasm_unavailable" : "words_unavailable";
  throw new WhereforeError("InitError", code, message, { cause });
}
