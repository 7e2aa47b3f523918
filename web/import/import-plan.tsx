import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ImportChoices, ImportPlan, ImportRecord } from '#contract/imports.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import { VISIBILITIES, type Visibility } from '#contract/projects.ts'
import { useMyProjects } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, Select } from '#web/ui/controls/field.tsx'
import { Summary } from '#web/ui/controls/summary.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { Section } from '#web/ui/layout/page.tsx'
import { Day } from '#web/ui/layout/time.tsx'
import { useCancelImport, useRunImport } from './mutations.ts'
import { ProblemList } from './problem-list.tsx'
import { countsOf, SOURCE_NAMES } from './words.ts'

const NEW = 'new'
const SKIP = 'skip'
const VISIBILITY_NAMES: Record<Visibility, string> = {
  private: 'Private: only you and those you invite',
  unlisted: 'Unlisted: everybody with the link',
  public: 'Public: everybody',
}

/** The plan of an import, with the choices of its person. */
export function ImportPlanForm({ one, plan }: { one: ImportRecord; plan: ImportPlan }) {
  const navigate = useNavigate()
  const run = useRunImport(one._id)
  const cancel = useCancelImport(one._id, () => void navigate('/import'))
  const [visibility, setVisibility] = useState<Visibility>('private')
  const [targets, setTargets] = useState<{ [key: string]: string }>({})
  const [isCopying, setCopying] = useState(false)
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const wanted = wantedEntries(plan, targets, skipped)

  const choices = (): ImportChoices => ({
    visibility,
    pictures: isCopying ? 'copied' : 'left',
    projects: Object.entries(targets).flatMap(([key, target]) =>
      target === NEW ? [] : [target === SKIP ? { key, skip: true } : { key, skip: false, into: target }],
    ),
    skippedMilestones: [...skipped],
  })

  return (
    <div className="flex flex-col gap-10">
      <Section title="What was found">
        <Found plan={plan} />
      </Section>
      <Section title="Where it goes">
        <div className="flex flex-col gap-6">
          {plan.projects.map((project) => (
            <ProjectChoice
              key={project.key}
              project={project}
              target={targets[project.key] ?? NEW}
              onTarget={(target) => setTargets({ ...targets, [project.key]: target })}
              skipped={skipped}
              onSkipped={setSkipped}
            />
          ))}
          <Field label="New projects are" hint="You can change this later for each of them.">
            <Select
              value={visibility}
              options={VISIBILITIES.map((value) => ({ value, label: VISIBILITY_NAMES[value] }))}
              onChange={({ target }) => setVisibility(target.value as Visibility)}
            />
          </Field>
          {plan.elsewhere > 0 && (
            <Checkbox
              label={`Copy ${counted(plan.elsewhere, 'picture')} from other websites`}
              hint="Otherwise the texts show them from there, as long as they are there."
              checked={isCopying}
              onChange={({ target }) => setCopying(target.checked)}
            />
          )}
        </div>
      </Section>
      {plan.problems.length > 0 && (
        <Section title="What does not come as it is">
          <ProblemList problems={plan.problems} />
        </Section>
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button
          variant="primary"
          busy={run.isPending}
          disabled={wanted === 0}
          onClick={() => run.mutate(choices())}
        >
          Import {counted(wanted, 'entry', 'entries')}
        </Button>
        <Button variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function wantedEntries(
  { projects }: ImportPlan,
  targets: { [key: string]: string },
  skipped: readonly string[],
): number {
  return projects
    .filter(({ key }) => targets[key] !== SKIP)
    .flatMap(({ milestones }) => milestones)
    .filter(({ key }) => !skipped.includes(key))
    .reduce((sum, { entries }) => sum + entries, 0)
}

function Found({ plan }: { plan: ImportPlan }) {
  const { source, counts, drafts, here, bytes, from, until, authors, tags } = plan
  return (
    <>
      <p>
        It is {SOURCE_NAMES[source]} with {countsOf(counts)}
        {bytes > 0 && ` (${sizeText(bytes)})`}.
      </p>
      <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
        {from !== null && until !== null && (
          <Fact name="Written">
            <Day on={from} zone="UTC" /> – <Day on={until} zone="UTC" />
          </Fact>
        )}
        {drafts > 0 && <Fact name="Drafts">{drafts.toLocaleString('en')}, which only you will see</Fact>}
        {here > 0 && (
          <Fact name="Already here">
            {counted(here, 'entry', 'entries')}, which an import has brought before
          </Fact>
        )}
        {authors.length > 0 && <Fact name="Authors">{namesOf(authors)}</Fact>}
        {tags.length > 0 && <Fact name="Tags">{namesOf(tags)}</Fact>}
      </dl>
    </>
  )
}

const SHOWN = 12

function namesOf(named: ImportPlan['tags']): string {
  const rest = named.length - SHOWN
  const shown = named.slice(0, SHOWN).map(({ name, count }) => `${name} (${count.toLocaleString('en')})`)
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd dir="auto" className="min-w-0 break-words max-sm:mb-2">
      {children}
    </dd>
  </>
)

type ProjectChoiceProps = {
  project: ImportPlan['projects'][number]
  target: string
  onTarget: (target: string) => void
  skipped: readonly string[]
  onSkipped: (skipped: readonly string[]) => void
}

function ProjectChoice({ project, target, onTarget, skipped, onSkipped }: ProjectChoiceProps) {
  const own = useMyProjects()
  const { title, entries, milestones } = project
  return (
    <fieldset className="rounded-md border border-line p-4">
      <legend dir="auto" className="px-1 font-reading text-lg font-medium break-words">
        {title}
      </legend>
      <Field label="Becomes">
        <Select
          value={target}
          options={[
            { value: NEW, label: 'A new project' },
            ...(own.data ?? []).map(({ _id, title }) => ({ value: _id, label: `Milestones of “${title}”` })),
            { value: SKIP, label: 'Nothing: leave it out' },
          ]}
          onChange={(event) => onTarget(event.target.value)}
        />
      </Field>
      {target !== SKIP && (
        <details className="mt-4">
          <Summary>
            {counted(milestones.length, 'milestone')} with {counted(entries, 'entry', 'entries')}
          </Summary>
          <div className="mt-3 flex max-h-80 flex-col gap-2 overflow-auto p-1">
            {milestones.map(({ key, title, entries }) => (
              <Checkbox
                key={key}
                label={
                  <>
                    <bdi>{title}</bdi>{' '}
                    <span className="text-muted">({counted(entries, 'entry', 'entries')})</span>
                  </>
                }
                checked={!skipped.includes(key)}
                onChange={({ target: { checked } }) =>
                  onSkipped(checked ? skipped.filter((one) => one !== key) : [...skipped, key])
                }
              />
            ))}
          </div>
        </details>
      )}
    </fieldset>
  )
}
