import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  dropTargetForElements,
  draggable as makeDraggable,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { ShownItem } from './media-blocks.ts'
import { itemKey } from './surface.ts'

type Options = {
  payload: () => ShownItem
  mayDrag: () => boolean
  /** Called when another file was dropped here, whose place it takes. */
  onDropped: (file: ShownItem) => void
  onTarget: (isTarget: boolean) => void
}

const FILE = Symbol('file of a text')

const draggedFile = (data: Record<string | symbol, unknown>) => data[FILE] as ShownItem | undefined

/** Lets a file be dragged to the place of another one, also of another gallery. Returns the function that ends this. */
export function draggable(
  element: HTMLElement,
  { payload, mayDrag, onDropped, onTarget }: Options,
): () => void {
  return combine(
    makeDraggable({ element, canDrag: mayDrag, getInitialData: () => ({ [FILE]: payload() }) }),
    dropTargetForElements({
      element,
      canDrop({ source }) {
        const file = draggedFile(source.data)
        return file !== undefined && itemKey(file) !== itemKey(payload())
      },
      onDragEnter: () => onTarget(true),
      onDragLeave: () => onTarget(false),
      onDrop({ source }) {
        onTarget(false)
        const file = draggedFile(source.data)
        if (file) onDropped(file)
      },
    }),
  )
}
