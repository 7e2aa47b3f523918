const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

/** How a shortcut with Ctrl, or on an Apple keyboard with ⌘, is written there. */
export const withCommand = (keys: string) => (isApple ? `⌘${keys.replace('Shift+', '⇧')}` : `Ctrl+${keys}`)
