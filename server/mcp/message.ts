import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  LATEST_PROTOCOL_VERSION,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { EXPECTED } from '#server/platform/api/sentences.ts'
import { withoutNulls, withParsedArguments } from './absent.ts'

type Message = { id?: unknown; method?: unknown; params?: unknown }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isMessage: (body: unknown) => body is Message = isObject

export const isInitialize = (body: unknown): boolean => isMessage(body) && body.method === 'initialize'

/** Returns a message without what programs send for nothing, and with what minimal ones leave out of their introduction. */
export function meantBy(body: unknown): unknown {
  if (!isMessage(body)) return body
  const { params, ...message } = body
  const meant = withoutNulls(withParsedArguments(params)) ?? undefined
  if (isInitialize(message)) return { ...message, params: introduced(meant) }
  return meant === undefined ? message : { ...message, params: meant }
}

/** The protocol requires these, but nothing here depends on them. */
function introduced(params: unknown): object {
  const given: { capabilities?: unknown; clientInfo?: unknown } = isObject(params) ? params : {}
  const client = isObject(given.clientInfo) ? given.clientInfo : {}
  return {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    ...given,
    capabilities: isObject(given.capabilities) ? given.capabilities : {},
    clientInfo: { name: 'unknown', version: 'unknown', ...client },
  }
}

const SCHEMAS = [InitializeRequestSchema, ListToolsRequestSchema, CallToolRequestSchema]

/** Returns the error of JSON-RPC for a request whose parameters are not those of its method. The library's would be a list of its own terms. */
export function whatIsWrong(body: unknown) {
  if (!isMessage(body) || body.id === undefined) return undefined
  const schema = SCHEMAS.find(({ shape }) => shape.method.value === body.method)
  const issue = schema?.safeParse(body).error?.issues[0]
  if (!issue) return undefined
  const name = issue.path.join('.')
  const expected = 'expected' in issue ? EXPECTED[String(issue.expected)] : undefined
  const message = expected
    ? `${name} must be ${expected}`
    : `${name} is not what ${String(body.method)} takes`
  return { jsonrpc: '2.0', id: body.id, error: { code: ErrorCode.InvalidParams, message } }
}
