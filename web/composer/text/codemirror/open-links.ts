import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { isUrl } from '#web/composer/text/link-edits.ts'
import { isApple } from '#web/ui/controls/keys.ts'

/** Opens a link of the text in a tab of its own by a press with Ctrl or ⌘; without, a press puts the caret there. */
export const openLinks = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (event.button !== 0 || !(isApple ? event.metaKey : event.ctrlKey)) return false
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
    const address = at === null ? undefined : addressAt(view.state, at)
    if (address === undefined) return false
    event.preventDefault()
    window.open(address, '_blank', 'noopener')
    return true
  },
})

/** Returns the address of the link at a position, if it has a scheme that a text may lead to. */
function addressAt(state: EditorState, at: number): string | undefined {
  for (let node = syntaxTree(state).resolveInner(at, 1); node.parent; node = node.parent) {
    const url = node.name === 'URL' ? node : node.getChild('URL')
    if (!url || !/^(?:URL|Link|Autolink)$/.test(node.name)) continue
    const written = state.sliceDoc(url.from, url.to).replace(/^<|>$/g, '')
    const address = written.startsWith('www.') ? `https://${written}` : written
    return isUrl(address) ? address : undefined
  }
  return undefined
}
