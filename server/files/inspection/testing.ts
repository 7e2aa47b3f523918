import type { BaseLogger } from 'pino'
import { createInspector } from './inspect.ts'
import { inspectHere } from './inspect-task.ts'

/** Inspects as the child process does, but here, so that a test of something else starts no process for each file. */
export const testInspector = (log: BaseLogger) => createInspector(log, inspectHere)
