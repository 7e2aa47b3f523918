import { createContext, data, type RouterContextProvider } from 'react-router'
import type { CallInput, CallResponse } from '#contract/call.ts'
import type { CallName, Calls } from '#contract/calls.ts'
import type { RunCall } from '#contract/rendering.ts'

/** Runs calls inside the server process, for the loaders of public screens. */
export const runCallContext = createContext<RunCall>()

/**
 * Runs a call for a loader, as a visitor. An error response becomes a route error with its status, which the screen's own
 * ErrorBoundary (or the shell's) shows; any other error is rethrown and logged.
 */
export async function runCallForVisitor<N extends CallName>(
  context: Readonly<RouterContextProvider>,
  name: N,
  input: CallInput<Calls[N]>,
): Promise<CallResponse<Calls[N]>> {
  try {
    return await context.get(runCallContext)(name, input)
  } catch (error) {
    throw routeErrorOf(error)
  }
}

/** Returns the value that a loader throws for the error of a call. */
export function routeErrorOf(error: unknown): unknown {
  const body = toErrorBody(error)
  return body ? data({ code: body.code, message: body.message }, { status: body.status }) : error
}

/** Returns the code, message and status of an error response, or null for an unexpected error. */
export function toErrorBody(error: unknown): { code: string; message: string; status: number } | null {
  if (!(error instanceof Error) || !('status' in error) || !('code' in error)) return null
  const { code, message, status } = error
  return typeof status === 'number' && status !== 500 && typeof code === 'string'
    ? { code, message, status }
    : null
}
