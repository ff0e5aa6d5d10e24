import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FluentBundle, FluentResource } from "@fluent/bundle";

/** Languages in which the page can be shown, by their names in its address; the last two are for trials. */
export const LANGUAGES = ["en", "de", "pseudo", "rtl"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Texts of the page in a language. */
export class Texts {
  private readonly bundle: FluentBundle;

  constructor(readonly language: Language) {
    const locale = language === "de" ? "de" : "en";
    this.bundle = new FluentBundle(locale);
    const file = join(import.meta.dirname, `../../../web/locales/${locale}.ftl`);
    this.bundle.addResource(new FluentResource(readFileSync(file, "utf8")));
  }

  /** A message without arguments; of the trial languages, an expression that matches it with accents and filler. */
  of(key: string): string | RegExp {
    const value = this.bundle.getMessage(key)?.value;
    if (!value) throw new Error(`no message ${key}`);
    const text = this.bundle.formatPattern(value);
    if (this.language === "en" || this.language === "de") return text;
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^\\[${escaped.replace(/[aeioucnsAESU]/g, ".")}~*\\]$`);
  }
}
