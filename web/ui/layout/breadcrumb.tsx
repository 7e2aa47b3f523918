import { Link } from 'react-router'

/** A breadcrumb trail on one line; every step but the last is a link. The last one is truncated first; on a phone the line scrolls. */
export function Breadcrumb({ steps }: { steps: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-1 text-sm text-muted sm:-mt-1 sm:mb-2">
      <ol className="flex items-center gap-x-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:overscroll-x-contain max-sm:px-4 max-sm:mask-r-from-90% max-sm:[scrollbar-width:none]">
        {steps.map(({ label, to }, index) => (
          <li
            key={`${index}-${label}`}
            className="flex min-w-0 items-center gap-2 last:min-w-12 last:shrink-[99999] max-sm:shrink-0!"
          >
            {index > 0 && <span className="w-3 shrink-0 border-t border-edge" aria-hidden="true" />}
            {to ? (
              <Link
                to={to}
                dir="auto"
                className="max-w-60 truncate rounded-sm py-1 hover:text-ink hover:underline pointer-coarse:py-2.5"
              >
                {label}
              </Link>
            ) : (
              <span aria-current="page" dir="auto" className="max-w-60 truncate text-ink">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
