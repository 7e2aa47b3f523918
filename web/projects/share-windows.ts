const FEATURES = 'popup,width=600,height=400'

/** Opens each address in a small window of its own. Answers how many the browser held back. */
export function openShareWindows(urls: readonly string[]): number {
  let blocked = 0
  for (const url of urls) {
    const opened = window.open(url, '_blank', FEATURES)
    // Not by `noopener`, which would hide whether the window opened at all.
    if (opened) opened.opener = null
    else blocked += 1
  }
  return blocked
}
