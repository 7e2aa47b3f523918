import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { argumentsOf, type CallArgument, describeArgument, requestOf } from '#contract/arguments.ts'
import { type CallName, calls } from '#contract/calls.ts'
import type { Call, Scope } from '#contract/parts/call.ts'
import { errorBody } from '#contract/parts/errors.ts'
import { bearerOf, type Grant } from '#server/platform/api/calls.ts'
import { runUncounted } from '#server/platform/limits/requests.ts'
import { describeErasable, isErasable } from './absent.ts'
import { ignoredSentence, missingSentence, readArguments } from './arguments.ts'
import { isInitialize, meantBy, whatIsWrong } from './message.ts'

/** A call as a tool of the Model Context Protocol. */
type McpTool = {
  name: CallName
  scope: Scope | 'none'
  description: string
  annotations: { readOnlyHint: boolean; destructiveHint: boolean }
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
}

const table: [CallName, Call][] = Object.entries(calls) as [CallName, Call][]

/** All calls that the contract marks as tools. */
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
      properties: Object.fromEntries(taken.map((one) => [one.field, describe(one)])),
      required: taken.filter(({ isRequired }) => isRequired).map(({ field }) => field),
    },
  }
}

function describe(one: CallArgument): object {
  return isErasable(one.schema) ? describeErasable(describeArgument(one)) : describeArgument(one)
}

/** The maximum length of a response, in characters. A longer one is of no use to a model. */
const RESPONSE_MAX = 400_000

const INSTRUCTIONS =
  'Milepost documents projects: a project has milestones, a milestone has entries in Markdown. What you write as “published” is seen by others at once; with the state “draft” its author alone sees it.'

/** Responds to one message of the protocol, without state between messages. */
export async function handleMessage(
  app: FastifyInstance,
  request: FastifyRequest,
  grant: Grant,
): Promise<Response> {
  const server = new Server(
    { name: 'milepost', title: 'Milepost', version: '1' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools
      .filter(({ scope }) => scope !== 'none' && grant.scopes.includes(scope))
      .map(({ name, description, annotations, inputSchema }) => ({
        name,
        description,
        annotations,
        inputSchema,
      })),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => run(app, request, params))
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const body = meantBy(request.body)
    const wrong = whatIsWrong(body)
    if (wrong) return Response.json(wrong)
    const message = new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(request) })
    return await transport.handleRequest(message, { parsedBody: body })
  } finally {
    await server.close()
  }
}

/**
 * Whatever a client accepts, it gets JSON, which the body was already parsed as: the transport insists on both headers. While
 * client and server agree on a version, the client may name a newer one in the header too.
 */
const headersOf = (request: FastifyRequest): [string, string][] => [
  ...Object.entries(request.headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === 'string' &&
      !['accept', 'content-type', 'content-length'].includes(header[0]) &&
      !(header[0] === 'mcp-protocol-version' && isInitialize(request.body)),
  ),
  ['accept', 'application/json, text/event-stream'],
  ['content-type', 'application/json'],
]

/** Sends the call of a tool within this process, with the request's token, so that the usual authorization applies. */
async function run(
  app: FastifyInstance,
  request: FastifyRequest,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new McpError(ErrorCode.InvalidParams, 'There is no such tool')
  const call: Call = calls[tool.name]
  const { given, missing, unknown } = readArguments(call, args)
  if (missing.length > 0) return failed(missingSentence(call, missing))
  const response = await runUncounted(
    async () =>
      await app.inject({
        ...requestOf(call, given, call.mcp?.hides),
        headers: { authorization: `Bearer ${bearerOf(request)}`, accept: 'application/json' },
        remoteAddress: request.ip,
      }),
  )
  const { statusCode, body } = response
  const note = unknown.length > 0 ? [ignoredSentence(call, unknown)] : []
  if (statusCode >= 400) return failed(errorBody.safeParse(response.json()).data?.message, ...note)
  if (body.length > RESPONSE_MAX) return failed('The response is too long. Ask for a smaller page.')
  return { content: textsOf(body === '' ? 'Done' : body, ...note) }
}

const failed = (sentence = 'Something went wrong. Please try again.', ...note: string[]): CallToolResult => ({
  isError: true,
  content: textsOf(sentence, ...note),
})

const textsOf = (...texts: string[]) => texts.map((text) => ({ type: 'text' as const, text }))
