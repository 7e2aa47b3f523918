import { ArrowLeft, ArrowRight, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Story } from '#contract/story.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { StoryChapters } from './story-chapters.tsx'
import type { StoryPaths } from './story-paths.ts'

type StoryPrintProps = {
  story: Story
  paths: StoryPaths
  /** Where the story can be read, if everybody may. */
  url?: string
}

/** A document with the whole story of a project, or with a long part of it, for paper. */
export function StoryPrint({ story, paths, url }: StoryPrintProps) {
  const { title, description, user } = story.project
  const { currentPage, totalPages, limit } = story.pagination
  return (
    <>
      <header className="mb-14">
        <h1 lang="" className="font-reading text-4xl font-medium tracking-tight">
          {title}
        </h1>
        <p lang="" className="mt-3 text-lg whitespace-pre-line text-muted">
          {description}
        </p>
        <p className="mt-4 text-sm text-muted">
          By <bdi className="font-semibold text-ink">{user.name}</bdi>
          {totalPages > 1 && ` · document ${currentPage} of ${totalPages}`}
        </p>
        {url !== undefined && <p className="mt-1 hidden text-sm text-muted print:block">{url}</p>}
        <p className="mt-4 text-sm text-muted" data-print="hidden">
          {totalPages > 1
            ? `The story is in ${totalPages} documents, because one has at most ${limit} entries. Print each of them.`
            : 'This document has the whole story.'}
        </p>
        <div className="mt-4 flex flex-wrap gap-2" data-print="hidden">
          {/* On public pages `islands/main.ts` makes it work. */}
          <Button
            variant="primary"
            className="noscript:hidden"
            icon={<Printer aria-hidden="true" />}
            data-prints
            onClick={() => window.print()}
          >
            Print
          </Button>
          <Documents story={story} paths={paths} />
        </div>
      </header>
      <StoryChapters story={story} paths={paths} isPrinted />
    </>
  )
}

function Documents({ story: { pagination }, paths }: StoryPrintProps): ReactNode {
  const { currentPage, hasPrev, hasNext } = pagination
  return (
    <>
      {hasPrev && (
        <LinkButton to={paths.print(currentPage - 1)} rel="prev" icon={<ArrowLeft aria-hidden="true" />}>
          Previous document
        </LinkButton>
      )}
      {hasNext && (
        <LinkButton to={paths.print(currentPage + 1)} rel="next">
          Next document
          <ArrowRight aria-hidden="true" />
        </LinkButton>
      )}
    </>
  )
}
