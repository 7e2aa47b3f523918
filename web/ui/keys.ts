const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

/** Returns a shortcut as written on this platform, with Ctrl or ⌘. */
export const withCommand = (keys: string) => (isApple ? `⌘${keys.replace('Shift+', '⇧')}` : `Ctrl+${keys}`)
