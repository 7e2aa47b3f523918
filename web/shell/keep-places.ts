/**
 * Changes fonts, and keeps the places of what can be seen: each text in a row, and each other block that got another height, is spaced
 * by the hundredths of an em that make it as wide and as high as it was. The rest is set as designed, with its ligatures.
 */
export function keepPlaces(change: () => void) {
  type Block = { element: HTMLElement; texts: Text[]; width: number; height: number }

  function widthOf(texts: Text[]) {
    const range = document.createRange()
    let width = 0
    for (const text of texts) {
      range.selectNodeContents(text)
      for (const line of range.getClientRects()) width += line.width
    }
    return width
  }

  function isSeen(element: Element) {
    const { top, bottom, width } = element.getBoundingClientRect()
    // What has no box of its own may contain what has one.
    return width === 0 || (bottom > 0 && top < innerHeight)
  }

  function seenBlocks(): Block[] {
    const found = new Map<HTMLElement, Text[]>()
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      (node) =>
        node instanceof Element && !isSeen(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    )
    while (walker.nextNode()) {
      const { currentNode: text } = walker
      let { parentElement: element } = text
      if (!(text instanceof Text) || text.data.trim() === '') continue
      while (element && getComputedStyle(element).display === 'inline') element = element.parentElement
      if (!element) continue
      const texts = found.get(element)
      if (texts) texts.push(text)
      else found.set(element, [text])
    }
    return [...found].map(([element, texts]) => {
      return { element, texts, width: widthOf(texts), height: element.offsetHeight }
    })
  }

  function spacingOf({ element, texts, width, height }: Block) {
    const { letterSpacing, fontSize } = getComputedStyle(element)
    const length = texts.reduce((sum, { data }) => sum + data.replace(/\s+/g, ' ').length, 0)
    const most = Number.parseFloat(fontSize) / 32
    const more = Math.max(-most, Math.min(most, (width - widthOf(texts)) / length))
    return { element, height, spacing: (Number.parseFloat(letterSpacing) || 0) + more, step: most / 20 }
  }

  /** Whether other things stand beside it, which its width moves. */
  const isInRow = ({ element }: Block) =>
    [element, element.parentElement].some((one) => one && /flex|inline/.test(getComputedStyle(one).display))

  const blocks = seenBlocks()
  change()
  const spaced = blocks
    .filter((one) => isInRow(one) || one.element.offsetHeight !== one.height)
    .map(spacingOf)
  for (const { element, spacing } of spaced) element.style.letterSpacing = `${spacing}px`
  // A text of as much width may still break into other lines. Blocks come after those in them.
  for (const { element, height, spacing, step } of spaced.reverse()) {
    for (let tries = 1; tries <= 8 && element.offsetHeight !== height; tries += 1) {
      const more = Math.sign(element.offsetHeight - height)
      element.style.letterSpacing = `${spacing - more * tries * step}px`
    }
  }
}
