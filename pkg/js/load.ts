import { WhereforeError, asWhereforeError } from "./errors.js";

/** Where a Wasm module comes from: an address, bytes, a response or a compiled module. */
export type WasmSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/** Options of `init`. */
export interface InitOptions {
  /** The module; the file next to the script if absent. */
  wasm?: WasmSource | PromiseLike<WasmSource> | undefined;
}

/** Reads a `file:` address; set by the entries for Node, as `fetch` cannot read files there. */
export const files: { read?: (address: URL) => Promise<BufferSource> } = {};

/** Loads one Wasm module, once. */
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
  ) {}

  /** Loads the module. Later calls return the same promise, whatever their options; after a failure, they try again. */
  load(options: InitOptions = {}): Promise<void> {
    this.#loading ??= this.#run(options).catch((thrown: unknown) => {
      this.#loading = undefined;
      throw thrown;
    });
    return this.#loading;
  }

  /** Throws unless the module is loaded. */
  require(): void {
    if (this.#loaded) return;
    throw new WhereforeError("InitError", "not_initialized", "the Wasm module is not loaded; await init() first");
  }

  async #run(options: InitOptions): Promise<void> {
    try {
      const module = await compile((await options.wasm) ?? this.address());
      await this.start(module);
    } catch (thrown) {
      if (thrown instanceof WhereforeError) throw thrown;
      const { message } = asWhereforeError(thrown);
      throw new WhereforeError("InitError", "wasm_unusable", `the Wasm module cannot be used: ${message}`, {
        cause: thrown,
      });
    }
    this.#loaded = true;
  }
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response !== "undefined" && source instanceof Response) return ofResponse(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const isAddress =
    typeof source === "string" ||
    source instanceof URL ||
    (typeof Request !== "undefined" && source instanceof Request);
  if (!isAddress) {
    const message = "wasm must be an address, bytes, a Response or a WebAssembly.Module";
    throw new WhereforeError("ArgumentError", "invalid_argument", message);
  }
  const file = fileOf(source);
  if (file && files.read) {
    const bytes = await files.read(file).catch((thrown: unknown) => unavailable(String(file), thrown));
    return WebAssembly.compile(bytes);
  }
  const response = await fetch(source).catch((thrown: unknown) =>
    unavailable(source instanceof URL || typeof source === "string" ? String(source) : source.url, thrown),
  );
  return ofResponse(response);
}

/** The address as a URL if it is one of a file. */
function fileOf(source: string | URL | Request): URL | undefined {
  if (typeof source === "string" && !URL.canParse(source)) return undefined;
  const address = source instanceof URL ? source : new URL(typeof source === "string" ? source : source.url);
  return address.protocol === "file:" ? address : undefined;
}

async function ofResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) unavailable(response.url, `status ${response.status}`);
  // Streaming needs the right media type, which not every static host sends.
  if (response.headers.get("content-type")?.startsWith("application/wasm") && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function unavailable(address: string, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `cannot load the Wasm module from ${address || "the response"}: ${reason}`;
  throw new WhereforeError("InitError", "wasm_unavailable", message, { cause });
}
