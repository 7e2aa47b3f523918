import { StyleModule } from 'style-mod'

/**
 * Makes CodeMirror write its styles into a constructed style sheet, which the content security policy allows. For a
 * document, style-mod would insert a style element, which the policy forbids; for a shadow root it constructs a sheet. It
 * remembers the choice in a symbol property, which is copied from a shadow root that nobody sees. To be called before the
 * first editor is created.
 */
export function constructStyleSheets(): void {
  const shadow = document.createElement('div').attachShadow({ mode: 'open' })
  StyleModule.mount(shadow, [])
  const chosen = Object.getOwnPropertySymbols(shadow).find(({ description }) => description === 'styleSet')
  if (chosen) Object.defineProperty(document, chosen, { value: Reflect.get(shadow, chosen) })
}
