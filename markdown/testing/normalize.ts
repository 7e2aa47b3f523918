type Replacement = [RegExp, string]

const replaced = (text: string, replacements: Replacement[]) =>
  replacements.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)

/** Our additions to the HTML of the references, each with its replacement. Nothing else may differ. */
const ours: Replacement[] = [
  [/^<div class="prose">([^]*)<\/div>$/, '$1'],
  // Headings start below the page's own h1, skip no level, and can be linked to.
  [
    /<div class="heading" data-depth="(\d)"><h[2-6] id="section-[^"]*">([^]*?)<\/h[2-6]><a class="heading-anchor" href="#section-[^"]*" aria-label="Link to this section"><\/a><\/div>/g,
    '<h$1>$2</h$1>',
  ],
  // Code is highlighted.
  [/<span class="code-[^"]*">|<\/span>/g, ''],
  // External links are marked as written by a user.
  [/ rel="nofollow ugc noopener"(?=[^<]*>)/g, ''],
  // A URL is printed only once.
  [/ data-bare="true"(?=[^<]*>)/g, ''],
  // Images load lazily and send no referrer.
  [/ loading="lazy" decoding="async" referrerpolicy="no-referrer"(?=[^<]*>)/g, ''],
  // Tables and code are scrollable, also by keyboard.
  [/<pre role="group" aria-label="Code" tabindex="0">/g, '<pre>'],
  [
    /<div class="prose-scroll" role="group" aria-label="Table" tabindex="0">(<table>[^]*?<\/table>)<\/div>/g,
    '$1',
  ],
  // The content security policy allows no style, and `align` is deprecated.
  [/ data-align="(\w+)"/g, ' align="$1"'],
  // Tasks are labeled by their text, and styled.
  [/ class="(?:contains-task-list|task-list-item)"/g, ''],
  [
    /<input type="checkbox" disabled="" aria-label="[^"]*" data-task="\d+"( checked="")?>/g,
    '<input$1 disabled="" type="checkbox">',
  ],
]

/** Equivalent spellings of the same HTML. */
const spellings: Replacement[] = [
  [/ ?\/>/g, '>'],
  [/&quot;/g, '"'],
  [/<blockquote>\s*<\/blockquote>/g, '<blockquote></blockquote>'],
  // Every line break of a paragraph is one, also without two spaces before it.
  [/<br>\n/g, '\n'],
]

/** Returns the HTML of a reference in a canonical spelling. */
export const normalized = (html: string): string => replaced(html.trim(), spellings)

/** Returns our HTML without our additions, in the canonical spelling. */
export const removeAdditions = (html: string): string => normalized(replaced(html, ours))
