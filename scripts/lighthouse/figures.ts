import type { Report } from './audit.ts'

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

const PERCENT = 100

/** The medians of several reports on one page: the scores, the main figures, and what was found wanting in any of them. */
export function summary(reports: Report[]) {
  const figure = (id: string) => median(reports.map(({ audits }) => audits[id]?.numericValue ?? 0))
  return {
    scores: CATEGORIES.map((name) =>
      median(reports.map(({ categories }) => Math.round(PERCENT * (categories[name]?.score ?? 0)))),
    ),
    lcp: figure('largest-contentful-paint'),
    cls: figure('cumulative-layout-shift'),
    kilobytes: Math.round(figure('total-byte-weight') / 1024),
    complaints: [...new Set(reports.flatMap(wanting))],
  }
}

/** What costs a page points, with the points that it got. */
function wanting({ categories, audits }: Report): string[] {
  const counted = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []).filter(
    ({ weight }) => weight > 0,
  )
  return counted.flatMap(({ id }) => {
    const { title, score } = audits[id] ?? { title: id, score: null }
    return score === null || score >= 0.9 ? [] : [`${id}: ${title}`]
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
