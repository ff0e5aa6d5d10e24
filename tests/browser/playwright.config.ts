import { defineConfig } from "@playwright/test";

const chromium = process.env.WHEREFORE_CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "specs",
  outputDir: "test-results",
  forbidOnly: true,
  fullyParallel: false,
  workers: 1,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: [["list"]],
  // `axe` checks the accessibility of each state in all themes and languages, which takes minutes.
  projects: [{ name: "page" }, { name: "axe", testDir: "axe" }],
  use: {
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
