/**
 * The colours of `web/ui/styles/tokens.css` for places without that style sheet: emails, share pictures, the bar of a browser, the icon and
 * feeds. `tokens.test.ts` compares all of them with the tokens.
 */
export const LIGHT = {
  surface: '#f9f7f1',
  raised: '#fefdfb',
  ink: '#1a2736',
  muted: '#495563',
  line: '#dfdbd2',
  accent: '#b5420e',
} as const

export const DARK = { surface: '#121820', ink: '#eae6dd', line: '#2c343d', accent: '#f1a757' } as const
