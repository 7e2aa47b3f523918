/** The element that stands in the place of a text. */
const standIns = new WeakMap<Node, Element>()
const texts = new WeakMap<Element, Node>()

/**
 * Lets React go on after a browser or an extension has translated the page. Translations put `<font>` elements in the place of
 * text nodes, which React still uses: removing one or inserting beside it throws, and a changed text is not shown. Call this before
 * React renders.
 */
export function followTranslations(): void {
  // oxlint-disable-next-line typescript/unbound-method -- they are called with the node of each call
  const { removeChild, insertBefore } = Node.prototype
  const observer = new MutationObserver(note)

  function note(records: MutationRecord[]) {
    for (const record of records) {
      if (record.type === 'characterData') putBack(record.target)
      for (const node of record.addedNodes) standIns.get(node)?.remove()
      for (const node of record.removedNodes) if (node instanceof Text) replace(node, record, records)
    }
  }

  function replace(text: Text, record: MutationRecord, records: MutationRecord[]) {
    if (text.isConnected) return
    const standIn = elementsInPlace(record, records).find((element) => !texts.has(element))
    if (!standIn) return
    standIns.set(text, standIn)
    texts.set(standIn, text)
    observer.observe(text, { characterData: true })
  }

  /** Returns the child of `parent` in whose place a node is: itself, what stands for it, or an element around either. */
  function placeOf(node: Node, parent: Node): Node | null {
    if (node.parentNode === parent) return node
    note(observer.takeRecords())
    let place: Node | null = standIns.get(node) ?? node
    while (place !== null && place.parentNode !== parent) place = place.parentNode
    return place
  }

  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    const place = placeOf(child, this)
    if (place !== null) removeChild.call(this, place)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(node: T, before: Node | null): T {
    insertBefore.call(this, node, before && placeOf(before, this))
    return node
  }
  observer.observe(document, { childList: true, subtree: true })
}

/** Shows a text that React has changed instead of the translation of what it was. The browser then translates it again. */
function putBack(text: Node) {
  const standIn = standIns.get(text)
  if (standIn?.isConnected && !text.isConnected) standIn.replaceWith(text)
}

/** Returns the elements that translations put where a node was removed, in the same step, before it or after it. */
function elementsInPlace(removal: MutationRecord, records: MutationRecord[]): Element[] {
  const { target, previousSibling, nextSibling } = removal
  const afterwards = records.filter(
    (record) => record.target === target && record.previousSibling === previousSibling,
  )
  const found = [removal, ...afterwards].flatMap(({ addedNodes }) => [...addedNodes])
  return [...found, previousSibling, nextSibling].filter((node) => node instanceof HTMLFontElement)
}
