// The scroll lock beneath radix dialogs inserts a style element, which the CSP lets pass with the page's nonce; it looks
// for the nonce under this name.
if (typeof document !== 'undefined') {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
  Object.assign(globalThis, { __webpack_nonce__: nonce })
}
