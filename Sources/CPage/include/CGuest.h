#pragma once
#include "CPage.h"

/// The files of the guests' page.
size_t guest_count(void);
/// @param index below guest_count()
page_file guest_at(size_t index);
