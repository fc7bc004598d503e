/** Months between publishing a page and the peak that it is for, unless the plan has another lead. */
export const leadMonths = 2;
export const mostLeadMonths = 6;
