const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?-|lang:|brush: ?|highlight-source-)([\w+#.-]{1,50})/
const LANGUAGE_ATTRIBUTES = [
  'lang',
  'data-lang',
  'data-language',
  'data-code-block-lang',
  'data-enlighter-language',
]

/** Returns the language of a block of code, as editors and the programs that color it write it; empty if it has none. */
export function languageOf(pre: Element): string {
  const nodes = [pre.querySelector('code'), pre, pre.parentElement].flatMap((node) => node ?? [])
  const [, inClass] =
    nodes.map((node) => LANGUAGE.exec(node.getAttribute('class') ?? '')).find((found) => found !== null) ?? []
  const named = nodes
    .slice(0, -1)
    .flatMap((node) => LANGUAGE_ATTRIBUTES.map((name) => node.getAttribute(name)))
  return inClass ?? named.find((name) => /^[\w+#.-]{1,50}$/.test(name ?? '')) ?? ''
}
