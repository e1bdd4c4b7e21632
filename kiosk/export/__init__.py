"""What leaves the machine: records, text, tables, score sheets, evidence, bundles; and what comes back in."""
