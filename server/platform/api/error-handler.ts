import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { ErrorBody, ErrorCode } from '#contract/parts/errors.ts'
import { isOutage, OutcomeUnknown } from '#server/database/outage.ts'
import { type Disk, isDiskFull } from '#server/platform/disk.ts'
import { tellsDeparture } from './departed.ts'
import {
  AppError,
  absent,
  databaseUnavailable,
  invalid,
  outcomeUnknown,
  storageFull,
  UNKNOWN_PATH,
} from './errors.ts'

/** The error handler, the only place that turns an error into a status and a message. */
export function handleErrors(app: FastifyInstance, disk: Disk): void {
  app.decorateReply('errorCode', null)
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    if (error instanceof OutcomeUnknown) {
      request.log.warn({ err: error }, 'the outcome of a change is unknown')
      return sendError(reply, outcomeUnknown())
    }
    if (tellsDeparture(request, error)) {
      request.log.info(
        { reason: 'code' in error ? error.code : error.message },
        'the client left during its request',
      )
      return sendError(reply, invalid([{ path: '', message: 'The request broke off' }]))
    }
    if (isDiskFull(error)) {
      request.log.error({ err: error }, 'a disk is full')
      disk.reportFull()
      return sendError(reply, storageFull())
    }
    if (isOutage(error)) {
      request.log.warn({ err: error }, 'the database is not available')
      // A database that could not write its log stops, and then only the disk knows why.
      return sendError(reply, (await disk.isFull()) ? storageFull() : databaseUnavailable())
    }
    const appError = error instanceof AppError ? error : translated(error)
    if (appError) return sendError(reply, appError)
    request.log.error({ err: error }, 'unexpected error')
    return sendUnexpected(request, reply)
  })
}

function sendError(reply: FastifyReply, appError: AppError) {
  reply.errorCode = appError.code
  if (appError.retryAfter !== undefined) reply.header('retry-after', Math.ceil(appError.retryAfter))
  const body: ErrorBody = { message: appError.message, code: appError.code, ...appError.details }
  return reply.code(appError.status).send(body)
}

function sendUnexpected(request: FastifyRequest, reply: FastifyReply) {
  const body: ErrorBody = {
    message: 'Something went wrong on our side. Please try again.',
    code: 'unexpected',
    requestId: request.id,
  }
  return reply.code(500).send(body)
}

/** Maps the errors of Fastify and its plugins to our codes. */
function translated(error: FastifyError | Error): AppError | null {
  if (hasZodFastifySchemaValidationErrors(error)) {
    if (error.validationContext === 'params') return absent(error.validation[0]?.instancePath.slice(1))
    return invalid(
      error.validation.map((fault) => ({ path: dotted(fault.instancePath), message: sentence(fault) })),
    )
  }
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === undefined || status >= 500) return null
  const code = codeOfStatus[status] ?? 'invalid'
  const message = messages[code] ?? 'The request could not be understood'
  return code === 'invalid' ? invalid([{ path: '', message }]) : new AppError(code, message)
}

declare module 'fastify' {
  interface FastifyReply {
    /** Why the request was refused, for the log. */
    errorCode: ErrorCode | null
  }
}

const dotted = (pointer: string) => pointer.replace(/^\//, '').replaceAll('/', '.')

const sentence = (fault: { message?: string }) => fault.message ?? 'is not valid'

const codeOfStatus: { [status: number]: ErrorCode } = {
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media',
  429: 'too_many_requests',
}

const messages: { [code in ErrorCode]?: string } = {
  not_found: UNKNOWN_PATH,
  too_large: 'What was sent is too large',
  unsupported_media: 'Send the body as JSON, with the header Content-Type: application/json',
  too_many_requests: 'Too many requests. Please wait a moment and try again.',
}
