import { defineConfig } from "vitest/config";

export default defineConfig({
  // The page works in whatever folder it is put.
  base: "./",
  build: { target: "es2023", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { testTimeout: 60_000, hookTimeout: 60_000 },
});
