import { Link } from 'react-router'

/** Links to the sections of a page, which also receive the focus. They stay in view; browsers that know `:target-current` mark the section on screen. */
export function SectionIndex({ sections }: { sections: Record<string, string> }) {
  return (
    <nav
      aria-label="On this page"
      className="sticky top-nav z-20 [scroll-target-group:auto] -mx-4 -mt-2 border-y border-line bg-surface px-4 sm:-mx-6 sm:px-6"
      data-print="hidden"
    >
      <ul className="-mx-2 flex gap-x-1 overflow-x-auto overscroll-x-contain text-sm [scrollbar-width:none]">
        {Object.entries(sections).map(([anchor, title]) => (
          <li key={anchor} className="shrink-0">
            <Link
              to={`#${anchor}`}
              replace
              className="inline-flex min-h-10 min-w-10 items-center rounded-sm px-2 text-muted -outline-offset-2 underline-offset-4 hover:text-ink hover:underline [&:target-current]:font-medium [&:target-current]:text-accent pointer-coarse:min-h-11"
              onClick={() => document.getElementById(anchor)?.focus({ preventScroll: true })}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
