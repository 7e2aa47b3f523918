import type { BaseLogger } from 'pino'
import { createInspector } from './inspect.ts'
import { inspectHere } from './inspect-task.ts'

/** Inspects in this process, so that tests of other features start no child process for each file. */
export const testInspector = (log: BaseLogger) => createInspector(log, inspectHere)
