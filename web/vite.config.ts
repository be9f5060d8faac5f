import { defineConfig } from "vite";

export default defineConfig({
  // The page works in whatever folder it is put.
  base: "./",
  build: { target: "es2023", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
