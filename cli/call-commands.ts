import { parseArgs } from 'node:util'
import { argumentsOf, type CallArgument, describeArgument } from '#contract/arguments.ts'
import { type CallName, calls } from '#contract/calls.ts'
import type { Call } from '#contract/parts/call.ts'
import type { Client } from './client.ts'
import { misused } from './failure.ts'
import { findMilestone, findProject } from './projects.ts'

/** A call that the contract marks as a command. */
export type CallCommand = { name: string; call: CallName; summary: string; arguments: CallArgument[] }

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Options that name a project and a milestone by title instead of id. */
const BY_TITLE: { [field: string]: { option: string; short: string } } = {
  projectId: { option: 'project', short: 'p' },
  milestoneId: { option: 'milestone', short: 'm' },
}
const optionOf = (field: string) => BY_TITLE[field]?.option ?? kebab(field)

export const callCommands: CallCommand[] = (Object.entries(calls) as [CallName, Call][]).flatMap(
  ([name, call]) =>
    call.cli
      ? [
          {
            name: kebab(name),
            call: name,
            summary: call.summary,
            arguments: argumentsOf(call, call.cli.hides),
          },
        ]
      : [],
)

/** Returns the usage of a command. Optional options are in brackets. */
export const usageOf = (command: CallCommand) =>
  command.arguments
    .map(({ field, schema, isRequired, ...rest }) => {
      const isFlag = typeOf({ field, schema, isRequired, ...rest }) === 'boolean'
      const option = `--${optionOf(field)}${isFlag ? '' : ' …'}`
      return isRequired ? option : `[${option}]`
    })
    .join(' ')

/** Makes the call of a command with the given arguments, and returns its result. */
export async function runCallCommand(client: Client, command: CallCommand, args: string[]): Promise<unknown> {
  const { call, arguments: known } = command
  const needsProject = known.some(({ field }) => field === 'milestoneId')
  const options = Object.fromEntries([
    ...known.map((argument) => [
      optionOf(argument.field),
      {
        type: typeOf(argument) === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(typeOf(argument) === 'array' && { multiple: true }),
        ...(BY_TITLE[argument.field] && { short: BY_TITLE[argument.field]?.short }),
      },
    ]),
    ...(needsProject ? [['project', { type: 'string' as const, short: 'p' }]] : []),
    ['json', { type: 'boolean' as const }],
  ]) as Record<string, { type: 'string' | 'boolean' }>
  const { values } = parseArgs({ args, options, allowNegative: true })
  const given = new Map<string, unknown>()
  for (const argument of known) {
    const value = values[optionOf(argument.field)]
    if (value !== undefined && !BY_TITLE[argument.field]) given.set(argument.field, valueOf(argument, value))
    else if (value === undefined && argument.isRequired && !BY_TITLE[argument.field])
      throw misused(`--${optionOf(argument.field)} is missing: milepost ${command.name} ${usageOf(command)}`)
  }
  await resolveTitles(client, known, values, given)
  return client.call(call, Object.fromEntries(given))
}

async function resolveTitles(
  client: Client,
  known: CallArgument[],
  values: Record<string, unknown>,
  given: Map<string, unknown>,
): Promise<void> {
  const takes = (field: string) => known.some((argument) => argument.field === field)
  const meant = (option: string) => (typeof values[option] === 'string' ? values[option] : undefined)
  if (!takes('projectId') && !takes('milestoneId')) return
  const project = await findProject(client, meant('project'))
  if (takes('projectId')) given.set('projectId', project._id)
  if (takes('milestoneId'))
    given.set('milestoneId', (await findMilestone(client, project, meant('milestone')))._id)
}

const typeOf = (argument: CallArgument): unknown => (describeArgument(argument) as { type?: unknown }).type

/** Converts a typed argument to the value that the call expects. */
function valueOf(argument: CallArgument, value: unknown): unknown {
  const type = typeOf(argument)
  if (argument.part === 'body' && (type === 'integer' || type === 'number')) return Number(value)
  return value
}
