import type { Story, StoryEntry } from '#contract/story.ts'
import { EntryImage, showsImage } from '#web/entries/reading/entry-image.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { AuthorPicture } from '#web/ui/layout/avatar.tsx'
import { Day } from '#web/ui/layout/time.tsx'
import type { StoryPaths } from './story-paths.ts'
import { textInStory } from './story-text.ts'

type StoryChaptersProps = {
  story: Story
  paths: StoryPaths
  /** For paper: pictures are loaded before they come into view. */
  isPrinted?: boolean
}

/** The chapters of a part of a story, with their entries. `rememberPlaces` finds it by its attributes. */
export function StoryChapters({ story, paths, isPrinted = false }: StoryChaptersProps) {
  const { project, chapters, pagination } = story
  if (chapters.length === 0) return <p className="text-muted">Nothing has been written here yet.</p>
  return (
    <div
      {...(!isPrinted && {
        'data-story': project._id,
        'data-begins': pagination.hasPrev ? undefined : '',
      })}
    >
      {chapters.map((chapter) => (
        <section
          key={chapter._id}
          aria-labelledby={`chapter-${chapter._id}`}
          className="not-first:mt-20 print:not-first:mt-0 print:not-first:break-before-page print:not-first:pt-3"
        >
          <ChapterHeader chapter={chapter} />
          {chapter.entries.map((entry) => (
            <Entry
              key={entry._id}
              entry={entry}
              path={paths.entry(chapter._id, entry._id)}
              ownerName={project.user.name}
              isPrinted={isPrinted}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

type Chapter = Story['chapters'][number]

function ChapterHeader({ chapter: { _id, title, description, number, isContinued } }: { chapter: Chapter }) {
  return (
    <header className="relative mb-12 break-inside-avoid break-after-avoid border-t-2 border-dashed border-edge pt-7 text-center">
      <span
        className="absolute -top-2 left-1/2 size-4 -translate-x-1/2 rounded-full border-[3px] border-accent bg-surface"
        aria-hidden="true"
      />
      <p className="text-sm text-muted">
        {isContinued ? `Chapter ${number}, continued` : `Chapter ${number}`}
      </p>
      <h2
        id={`chapter-${_id}`}
        lang=""
        className="mt-1 scroll-mt-28 font-reading text-3xl font-medium tracking-tight"
      >
        {title}
      </h2>
      {!isContinued && (
        <p lang="" className="mx-auto mt-2 max-w-md text-balance whitespace-pre-line text-muted">
          {description}
        </p>
      )}
    </header>
  )
}

type EntryProps = { entry: StoryEntry; path: string; ownerName: string; isPrinted: boolean }

function Entry({ entry, path, ownerName, isPrinted }: EntryProps) {
  const { _id, title, happenedOn, happenedZone, author, imageURL, html, excerpt } = entry
  const id = `entry-${_id}`
  return (
    <article id={id} aria-labelledby={`${id}-title`} className="not-first-of-type:mt-16">
      <header className="mb-5 break-inside-avoid break-after-avoid">
        <p className="text-sm text-muted">
          <Day on={happenedOn} zone={happenedZone} />
          {author && author.name !== ownerName && (
            <>
              {' '}
              by <AuthorPicture url={author.pictureURL} />
              <bdi>{author.name}</bdi>
            </>
          )}
        </p>
        <h3 id={`${id}-title`} lang="" className="mt-1 font-reading text-2xl font-medium">
          <Link to={path} className="rounded-sm hover:text-accent">
            {title}
          </Link>
        </h3>
      </header>
      {(html === undefined || !showsImage(html, imageURL)) && (
        <EntryImage entry={entry} loading={isPrinted ? 'eager' : 'lazy'} />
      )}
      {html === undefined ? (
        <>
          <p lang="" className="text-muted">
            {excerpt}
          </p>
          <p className="mt-3">
            <Link to={path} className="font-semibold text-accent underline underline-offset-4">
              Read this entry on its own page
            </Link>
          </p>
        </>
      ) : (
        <RenderedMarkdown name={_id} html={textInStory(html, { isPrinted })} scope={id} />
      )}
    </article>
  )
}
