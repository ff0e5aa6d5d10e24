/** A schema that cannot be read; `line` is its place in the text, counted from 1, if it is known. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";

  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** The line, counted from 1, of a character. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
