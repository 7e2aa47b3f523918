import { paintHere } from './paint-task.ts'
import type { Painter } from './pictures.ts'

/** Paints in this process, because on a busy machine a process of low priority may exceed the time limit. */
export const testPainter: Painter = { paint: paintHere, close: async () => {} }
