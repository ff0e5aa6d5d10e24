import type { Page } from "@playwright/test";

/**
 * Visible texts and names for screen readers that are neither a message in the trial language, nor marked as of another
 * language (`lang="en"`, as of the engine) or as data (`translate="no"`).
 *
 * Messages of the trial language stand in brackets, from `[` to `]`; signs and numbers between them belong to no
 * language.
 */
export function untranslated(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isMarked = (element: Element) =>
      element.closest("[translate=no], noscript, script, style") !== null || element.closest("[lang]") !== document.documentElement;
    // A message can be an argument of another one.
    const outside = (text: string): string => {
      const rest = text.replace(/\[[^[\]]*\]/g, "");
      return rest === text ? text : outside(rest);
    };
    const isLiteral = (text: string) => /\p{Letter}/u.test(outside(text));
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // A message and the data in it can be several text nodes of one element.
    const parents = new Set<Element>();
    while (walker.nextNode()) parents.add(walker.currentNode.parentElement!);
    for (const parent of parents) {
      const own = [...parent.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      const text = own.map((node) => node.textContent).join("");
      if (!isMarked(parent) && isLiteral(text)) found.push(text);
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
      for (const name of ["aria-label", "placeholder", "title"]) {
        const text = element.getAttribute(name);
        if (text && !isMarked(element) && isLiteral(text)) found.push(`${name}: ${text}`);
      }
    }
    return found;
  });
}
