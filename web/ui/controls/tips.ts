/** How long the pointer rests before a tooltip is shown. */
export const DELAY_MS = 400
const GAP_PX = 6

function position(tip: HTMLElement, anchor: HTMLElement) {
  const around = anchor.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const left = around.left + around.width / 2 - width / 2
  const below = around.bottom + GAP_PX
  const fits = below + height < innerHeight
  tip.style.left = `${Math.max(GAP_PX, Math.min(left, document.documentElement.clientWidth - width - GAP_PX))}px`
  tip.style.top = `${fits ? below : around.top - height - GAP_PX}px`
}

/** Returns whether the control has an open popover, which would be covered by the tooltip. */
const hasOpened = (anchor: HTMLElement) =>
  anchor.querySelector('button')?.popoverTargetElement?.matches(':popover-open') ?? false

/**
 * Writes into the permanent text node of a tooltip. If the node were removed while the focus moves from one control to the next,
 * a dialog would mistake it for the focused node and focus its first control.
 */
function write(tip: HTMLElement, text: string) {
  const node = tip.firstChild ?? tip.appendChild(document.createTextNode(''))
  node.nodeValue = text
}

export function showTip(anchor: HTMLElement, tip: HTMLElement, text: string): void {
  if (!tip.isConnected || hasOpened(anchor)) return
  write(tip, text)
  tip.showPopover?.()
  position(tip, anchor)
}

export function hideTip(tip: HTMLElement): void {
  if (!tip.isConnected) return
  tip.hidePopover?.()
  write(tip, '')
}
