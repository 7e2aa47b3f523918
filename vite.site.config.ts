import { defineConfig } from 'vite'

/** Builds the script of the search page of an exported site (server/export/site/search/), which has no other files beside it. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'build/site',
    target: ['chrome107', 'edge107', 'firefox104', 'safari16'],
    rolldownOptions: {
      input: 'server/export/site/search/browser.ts',
      output: { format: 'iife', entryFileNames: 'search.js' },
    },
  },
})
