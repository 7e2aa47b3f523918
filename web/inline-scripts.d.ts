/** Modules that are imported with `?script` are bundled into the text of an inline script (`vite.plugins.ts`). */
declare module '*?script' {
  const text: string
  export default text
}
