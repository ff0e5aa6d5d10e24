import { SidePanel } from "../pages/side-panel";
import { expect, expectAccessible, test } from "../support/test";

test("the language chosen in the settings applies at once and keeps what is typed", async ({ chat, page }) => {
  const side = new SidePanel(page);
  await chat.question.fill("show me recent orders");
  await side.open("Settings");
  await page.getByLabel("Language").selectOption("de");
  const root = page.locator("html");
  await expect(root).toHaveAttribute("lang", "de");
  await expect(page.getByLabel("Sprache")).toBeFocused();
  const question = page.getByRole("combobox", { name: "Frage", exact: true });
  await expect(question).toHaveValue("show me recent orders");

  await page.getByRole("button", { name: "Fragen", exact: true }).click();
  const turn = page.getByRole("article").last();
  await expect(turn.getByText("Zuerst eine Rückfrage.")).toBeVisible();
  await expect(turn.locator(".reason")).toHaveAttribute("lang", "en");
  await turn.getByRole("radio", { name: /30 days/ }).click();
  await expect(turn.getByText("Beantwortet")).toBeVisible();
  await expect(turn.getByRole("heading", { level: 3 }).first()).toHaveAttribute("lang", "en");
  await expectAccessible(page);

  await page.reload();
  await expect(root).toHaveAttribute("lang", "de");
});

for (const [name, direction] of [["pseudo", "ltr"], ["rtl", "rtl"]]) {
  test(`the trial language ${name} fits the page and is accessible`, async ({ page, server }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${server.url}/?language=${name}`);
    await expect(page.locator("html")).toHaveAttribute("dir", direction);
    await expect(page.locator("#empty-title")).toHaveText(/^\[.*\]$/);
    await expectAccessible(page);
    expect(await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
  });
}
