/** Sites that number lines of code show them as a table: a row for each line, or one row with all of them beside all numbers. */
const LINE = 'td.blob-code, td.line_content, td.hljs-ln-code'
const WHOLE = 'td.code pre, td.rouge-code pre'

/** Makes tables of numbered lines of code blocks of code. */
export function readCodeTables(body: Element): void {
  for (const table of body.querySelectorAll('table')) {
    const lines = Array.from(table.querySelectorAll(LINE), ({ textContent }) =>
      (textContent ?? '').replace(/\n$/, ''),
    )
    const whole = table.querySelector(WHOLE)
    if (lines.length === 0 && !whole) continue
    const block = body.ownerDocument.createElement('pre')
    block.className = table.className
    block.textContent = lines.length > 0 ? lines.join('\n') : (whole?.textContent ?? '')
    table.replaceWith(block)
  }
}
