import { ChatPage } from "../pages/chat-page";
import { expect, test } from "../support/test";

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`screenshots, ${colorScheme}, ${width} px`, async ({ page, server }) => {
      test.skip(!folder, "WHEREFORE_SCREENSHOTS names no folder");
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width < 600 ? 740 : 800 });
      const shot = (state: string) =>
        page.screenshot({ path: `${folder}/${state}-${width}-${colorScheme}.png` });
      const chat = new ChatPage(page);
      await chat.open(server.url);
      await shot("1-empty");
      await chat.question.fill("number of recent orders per customer xyzzyx");
      await shot("2-typing");
      const asked = await chat.ask("show me recent orders");
      await asked.continue.waitFor();
      await shot("3-clarification");
      await asked.radio(/30 days/).click();
      await expect(asked.element.getByText("Answered")).toBeVisible();
      await shot("4-answer");
      await chat.ask("how many customers");
      await expect(chat.turn("how many customers").element.getByText("Answered")).toBeVisible();
      await shot("5-single-value");
      const chart = await chat.ask("revenue by month");
      await expect(chart.element.getByRole("figure")).toBeVisible();
      await shot("8-chart");
      const outside = await chat.ask("delete all customers");
      await expect(outside.element.getByText("Outside this data")).toBeVisible();
      await shot("6-outside");
      await page.route("**/api/v1/sql/execute", (route) => route.abort());
      const failed = await chat.ask("number of orders per customer");
      await expect(failed.button("Retry")).toBeVisible();
      await shot("7-failure");
    });
  }
}
