module bloomgate.example/filter

go 1.19
