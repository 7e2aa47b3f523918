import { useQuery } from '@tanstack/react-query'
import { SCOPES, type Scope } from '#contract/parts/call.ts'
import { Checkbox, Problem } from '#web/ui/controls/field.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { memberProjectsQuery } from './queries.ts'
import { scopeTexts } from './scopes.tsx'

type ChoiceProps<Value> = {
  chosen: Value
  problem: string | undefined
  onChange: (chosen: Value) => void
}

const legendClass = 'mb-1 text-sm font-semibold'

/** The scopes of the token. */
export function Scopes({ chosen, problem, onChange }: ChoiceProps<Scope[]>) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className={legendClass}>Permissions</legend>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          {...scopeTexts[scope]}
          checked={chosen.includes(scope)}
          onChange={({ target }) =>
            onChange(SCOPES.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
          }
        />
      ))}
      <Problem text={problem} />
    </fieldset>
  )
}

/** The projects for which the token is made: null for all. */
export function Projects({ chosen, problem, onChange }: ChoiceProps<string[] | null>) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className={legendClass}>Projects</legend>
      <Checkbox
        label="All your projects, including future ones"
        checked={chosen === null}
        onChange={({ target }) => onChange(target.checked ? null : [])}
      />
      {chosen !== null && <ProjectList chosen={chosen} onChange={onChange} />}
      <Problem text={problem} />
    </fieldset>
  )
}

function ProjectList({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const { data, isError, refetch } = useQuery(memberProjectsQuery)
  if (!data && isError)
    return (
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        Your projects could not be fetched.
        <TryAgain size="sm" onClick={() => void refetch()} />
      </p>
    )
  if (!data) return <p className="text-sm text-muted">Loading your projects…</p>
  if (data.length === 0) return <p className="text-sm text-muted">You have no projects yet.</p>
  return (
    <div className="flex max-h-48 flex-col overflow-y-auto rounded-md border border-line px-3 py-1.5">
      {data.map(({ _id, title }) => (
        <Checkbox
          key={_id}
          label={<bdi className="wrap-anywhere">{title}</bdi>}
          checked={chosen.includes(_id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, _id] : chosen.filter((one) => one !== _id))
          }
        />
      ))}
    </div>
  )
}
