module bloomgate.example/readers

go 1.19

require bloomgate.example/filter v0.0.0

replace bloomgate.example/filter => ../../readers/go
