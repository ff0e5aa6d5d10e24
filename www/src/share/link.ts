import { type Saved, savedOf } from "./saved.js";

const PREFIX = "#s1=";
/** Longest text that a link may unpack to, in bytes. */
const LIMIT = 20_000_000;
/** Length from which some programs cut links. */
export const LONG_LINK = 30_000;

/** The fragment of a link: JSON, compressed, as base64url. */
export async function fragmentOf(saved: Saved): Promise<string> {
  const packed = new Blob([JSON.stringify(saved)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (let start = 0; start < bytes.length; start += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  }
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a link contains; nothing if it is not such a link. Throws if it cannot be read. */
export async function savedOfFragment(fragment: string): Promise<Saved | undefined> {
  if (!fragment.startsWith("#s")) return undefined;
  try {
    if (!fragment.startsWith(PREFIX)) throw new Error("unknown version");
    const binary = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return savedOf(JSON.parse(await unpack(bytes)));
  } catch {
    throw new Error("This link cannot be read: it was cut off, or made by a later version. Ask for it again.");
  }
}

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > LIMIT) throw new Error("too long");
    text += decoder.decode(value, { stream: true });
  }
}
