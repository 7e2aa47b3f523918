import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type CallName, type Calls, calls } from '#contract/calls.ts'
import { type Call, type CallInput, type CallResponse, successStatus } from '#contract/parts/call.ts'
import { type ErrorBody, errorBody, errorStatus } from '#contract/parts/errors.ts'

/** The sender of a call, identified only by the headers. */
export type Sender = { headers: Record<string, string> }

export type CallOptions = { as?: Sender | undefined; headers?: Record<string, string> }

export type TestClient = ReturnType<typeof createClient>

/** Sends calls of the contract to an app in process, and validates every response by its schema. */
export function createClient(app: FastifyInstance) {
  async function send(name: CallName, input: object, { as, headers }: CallOptions) {
    const call: Call = calls[name]
    const { params = {}, query = {}, body } = input as { params?: object; query?: object; body?: object }
    return app.inject({
      method: call.method,
      url: pathOf(call, params),
      query: query as Record<string, string>,
      headers: { ...as?.headers, ...headers },
      ...(body && { payload: body }),
    })
  }

  return {
    /** Makes a call that must succeed. */
    async call<N extends CallName>(
      this: void,
      name: N,
      input: CallInput<Calls[N]>,
      options: CallOptions = {},
    ) {
      const call: Call = calls[name]
      const status = successStatus(call)
      const response = await send(name, input, options)
      if (response.statusCode !== status) {
        throw new Error(`${name} answered ${response.statusCode}: ${response.body}`)
      }
      const schema = call.responses[status]
      const answer = schema ? strictly(schema).parse(response.json()) : undefined
      return answer as CallResponse<Calls[N]>
    },

    /** Makes a call that must be refused with a status that matches its code. */
    async refused(
      this: void,

      name: CallName,
      input: object,
      options: CallOptions = {},
    ): Promise<ErrorBody & { status: number }> {
      const response = await send(name, input, options)
      const body = errorBody.strict().parse(response.json())
      if (errorStatus[body.code] !== response.statusCode) {
        throw new Error(`${body.code} came with status ${response.statusCode}`)
      }
      return { ...body, status: response.statusCode }
    },
  }
}

function pathOf(call: Call, params: object): string {
  return call.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
}

const strict = new WeakMap<z.ZodType, z.ZodType>()

/** Returns the schema without tolerance for further fields, so that a field that a presenter leaks fails the test. */
function strictly(schema: z.ZodType): z.ZodType {
  const known = strict.get(schema) ?? withoutOthers(schema)
  strict.set(schema, known)
  return known
}

function withoutOthers(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries<z.ZodType>(schema.shape)
    return z.strictObject(Object.fromEntries(shape.map(([key, value]) => [key, strictly(value)])))
  }
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((option) => strictly(option as z.ZodType)))
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.element as z.ZodType))
  return schema
}
