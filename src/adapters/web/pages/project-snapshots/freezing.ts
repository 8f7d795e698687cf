/** Attributes that load a part of the page again until its snapshots are frozen. @param selector the part @param address of the page */
export const whileFreezing = (selector: string, address: string): Record<string, string> =>
  ({ 'hx-get': address, 'hx-trigger': 'every 3s', 'hx-select': selector, 'hx-target': selector, 'hx-swap': 'outerHTML' })
