import { argumentsOf, describeArgument, requestOf as requestOfCall } from '#contract/arguments.ts'
import type { Call, Scope } from '#contract/call.ts'
import { type CallName, calls } from '#contract/calls.ts'

/** A call as programs of the Model Context Protocol see it. */
export type McpTool = {
  name: CallName
  scope: Scope | 'none'
  description: string
  annotations: { readOnlyHint: boolean; destructiveHint: boolean }
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
}

const table: [CallName, Call][] = Object.entries(calls) as [CallName, Call][]

/** Every call whose row allows it as a tool. */
export const tools: McpTool[] = table.flatMap(([name, call]) => (call.mcp ? [toolOf(name, call)] : []))

function toolOf(name: CallName, call: Call): McpTool {
  const taken = argumentsOf(call, call.mcp?.hides)
  return {
    name,
    scope: call.scope ?? 'none',
    description: call.summary,
    annotations: { readOnlyHint: call.method === 'GET', destructiveHint: call.method === 'DELETE' },
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(taken.map((one) => [one.field, describeArgument(one)])),
      required: taken.filter(({ isRequired }) => isRequired).map(({ field }) => field),
    },
  }
}

/** The request that a tool stands for, of its arguments; what the call does not take is left out. */
export function requestOf(name: CallName, args: Record<string, unknown>) {
  const call: Call = calls[name]
  return requestOfCall(call, args, call.mcp?.hides)
}
