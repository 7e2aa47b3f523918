import { Search } from 'lucide-react'
import { SEARCH_MAX } from '#contract/parts/list-options.ts'
import { publicSearchPath } from '#web/public/paths.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'

type SearchFormProps = { projectId: string; q?: string; className?: string }

/** The search of a public project, which works without scripts. */
export function SearchForm({ projectId, q = '', className }: SearchFormProps) {
  return (
    <form action={publicSearchPath(projectId)} className={className} data-print="hidden" data-online="search">
      <search className="flex gap-2">
        <TextInput
          type="search"
          name="q"
          aria-label="Search this project"
          placeholder="Search this project"
          defaultValue={q}
          maxLength={SEARCH_MAX}
          className="min-w-0 flex-1"
        />
        <Button type="submit" icon={<Search aria-hidden="true" />}>
          Search
        </Button>
      </search>
    </form>
  )
}
